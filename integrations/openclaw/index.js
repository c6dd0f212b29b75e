/**
 * The plugin: OpenClaw's hooks are passed to `rem hook openclaw`, and its memory search is offered what `rem recall` finds.
 *
 * It is additive: OpenClaw's own memory stays as it is. No handler throws, and none holds a turn up longer than `rem` is waited for.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { readFile } from "node:fs/promises";

import { hook, rem } from "./rem.js";

/** The corpus's name in search results. */
const CORPUS = "remembrancer";

/** @typedef {import("./rem.js").Settings} Settings */

/** What the agent is told at the start of a session, until its first prompt: so many sessions are kept in mind. */
const MOST_WAITING = 100;

/** The events that are passed on; those that give the model context are waited for. */
const EVENTS = [
  "session_start",
  "before_prompt_build",
  "agent_end",
  "before_compaction",
  "after_compaction",
  "before_reset",
  "session_end",
];

/**
 * What `rem hook openclaw` is told of an event.
 *
 * @param {string} name
 * @param {any} event
 * @param {any} context
 * @param {NodeJS.ProcessEnv} environment
 */
export function said(name, event, context, environment = process.env) {
  const state = environment.OPENCLAW_STATE_DIR || join(homedir(), ".openclaw");
  const agent = text(context?.agentId);
  const isFolder = agent !== undefined && /^[A-Za-z0-9_.-]+$/.test(agent) && !agent.startsWith(".");
  return {
    hook_event_name: name,
    session_id: text(context?.sessionId) ?? text(event?.sessionId) ?? text(context?.sessionKey),
    session_key: text(context?.sessionKey) ?? text(event?.sessionKey),
    prompt: text(event?.prompt),
    said: name === "agent_end" ? answer(event?.messages) : undefined,
    session_file: text(event?.sessionFile),
    agent_folder: isFolder ? join(state, "agents", agent) : undefined,
  };
}

/** @param {unknown} value */
function text(value) {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/**
 * What the agent said since the person spoke last.
 *
 * @param {unknown} messages
 */
export function answer(messages) {
  if (!Array.isArray(messages)) return undefined;
  const last = messages.findLastIndex((message) => message?.role === "user");
  const words = messages
    .slice(last + 1)
    .filter((message) => message?.role === "assistant")
    .map((message) => wordsOf(message.content))
    .filter((words) => words !== "" && words !== "NO_REPLY");
  return words.length > 0 ? words.join("\n\n") : undefined;
}

/** @param {unknown} content */
function wordsOf(content) {
  if (typeof content === "string") return content.trim();
  if (!Array.isArray(content)) return "";
  const blocks = content.filter((block) => block?.type === "text" && typeof block.text === "string");
  return blocks.map((block) => block.text).join("\n\n").trim();
}

/**
 * A result of `rem recall --json` as OpenClaw's memory search has it.
 *
 * @param {any} result
 */
function found(result) {
  return {
    corpus: CORPUS,
    path: result.path,
    title: result.id,
    score: result.score,
    snippet: result.snippet,
    startLine: result.start_line,
    endLine: result.end_line,
    citation: `${result.path}#L${result.start_line}-L${result.end_line}`,
    updatedAt: result.date ?? undefined,
  };
}

/**
 * The memory as a corpus that OpenClaw searches beside its own, where it is asked for all.
 *
 * @param {Settings} settings
 */
export function supplement(settings) {
  return {
    /** @param {{ query: string, maxResults?: number }} asked */
    async search({ query, maxResults }) {
      const limit = String(Math.max(1, Math.min(100, Math.trunc(maxResults ?? 6))));
      const answered = await rem(settings, ["--json", "recall", "--limit", limit, "--", String(query)]);
      const results = Array.isArray(answered?.results) ? answered.results : [];
      return results.filter((/** @type {any} */ result) => typeof result?.path === "string").map(found);
    },
    /** @param {{ lookup: string, fromLine?: number, lineCount?: number }} asked */
    async get({ lookup, fromLine = 1, lineCount = 200 }) {
      const path = String(lookup).split("#")[0];
      const status = await rem(settings, ["--json", "status"]);
      if (typeof status?.workspace !== "string" || !isInside(path)) return null;
      try {
        const lines = (await readFile(join(status.workspace, path), "utf8")).split("\n");
        const from = Math.max(1, Math.trunc(fromLine));
        const content = lines.slice(from - 1, from - 1 + Math.max(1, Math.trunc(lineCount))).join("\n");
        return { corpus: CORPUS, path, content, fromLine: from, lineCount: content.split("\n").length };
      } catch {
        return null;
      }
    },
  };
}

/**
 * Whether a path is that of a file of the memory: Markdown below its folder, no hidden one.
 *
 * @param {string} path
 */
function isInside(path) {
  const parts = path.split(/[\\/]/);
  return path.endsWith(".md") && !path.includes("\0") && parts.every((part) => part !== "" && !part.startsWith(".") && !part.includes(":"));
}

/**
 * Puts the plugin into OpenClaw.
 *
 * @param {any} api
 */
export function register(api) {
  /** @type {Settings} */
  const configured = api?.pluginConfig ?? {};
  // OpenClaw takes context before a prompt alone: what the start of a session has to say waits for that.
  /** @type {Map<string, string>} */
  const waiting = new Map();
  for (const name of EVENTS) {
    api.on(name, async (/** @type {any} */ event, /** @type {any} */ context) => {
      const settings = { ...configured, folder: text(context?.workspaceDir) };
      const told = said(name, event, context);
      const session = told.session_id ?? "";
      const answered = await hook(settings, told);
      const given = text(answered?.prependContext);
      if (name === "session_start" || name === "after_compaction") {
        if (given) waiting.set(session, given);
        if (waiting.size > MOST_WAITING) waiting.delete(String(waiting.keys().next().value));
        return undefined;
      }
      if (name === "session_end") waiting.delete(session);
      if (name !== "before_prompt_build") return undefined;
      const prependContext = [waiting.get(session), given].filter(Boolean).join("\n\n");
      waiting.delete(session);
      return prependContext ? { prependContext } : undefined;
    });
  }
  api.registerMemoryCorpusSupplement?.(supplement(configured));
}

export default { id: "remembrancer", name: "Remembrancer", register };
