/** The plugin against the shapes of OpenClaw's plugin interface, with a stand-in for `rem` that says what it was asked. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import plugin, { answer, said, supplement } from "../index.js";

const folder = mkdtempSync(join(tmpdir(), "rem-openclaw-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A program that writes down its arguments, its folder and its input, and prints what it is told to. */
function program(name, script) {
  const path = join(folder, name);
  const head = `#!${process.execPath}\nconst fs = require("node:fs");\nconst input = fs.readFileSync(0, "utf8");\n`;
  const note = `fs.writeFileSync(${JSON.stringify(`${path}.asked`)}, JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), input }));\n`;
  // Named so that Node takes it for a script of the older kind.
  writeFileSync(`${path}.cjs`, head + note + script);
  chmodSync(`${path}.cjs`, 0o755);
  return { path: `${path}.cjs`, asked: () => JSON.parse(readFileSync(`${path}.asked`, "utf8")) };
}

/** What OpenClaw gives a plugin. */
function api(pluginConfig) {
  const handlers = new Map();
  const supplements = [];
  return {
    pluginConfig,
    handlers,
    supplements,
    on: (name, handler) => handlers.set(name, handler),
    registerMemoryCorpusSupplement: (supplement) => supplements.push(supplement),
  };
}

const CONTEXT = { agentId: "main", sessionId: "s1", sessionKey: "agent:main:main" };

test("a prompt is passed on and answered with context", async () => {
  const rem = program("prompt", `console.log(JSON.stringify({ prependContext: "<remembrancer-context>\\nfacts\\n</remembrancer-context>" }));`);
  const host = api({ program: rem.path, workspace: folder });
  plugin.register(host);
  const context = { ...CONTEXT, workspaceDir: folder };
  const result = await host.handlers.get("before_prompt_build")({ prompt: "how do we deploy?", messages: [] }, context);
  assert.deepEqual(result, { prependContext: "<remembrancer-context>\nfacts\n</remembrancer-context>" });
  const asked = rem.asked();
  assert.deepEqual(asked.args, ["-C", folder, "hook", "openclaw"]);
  const input = JSON.parse(asked.input);
  assert.equal(input.hook_event_name, "before_prompt_build");
  assert.equal(input.session_id, "s1");
  assert.equal(input.prompt, "how do we deploy?");
});

test("what the start of a session has to say stands before its first prompt, once", async () => {
  const rem = program("start", `console.log(JSON.stringify({ prependContext: JSON.parse(input).hook_event_name }));`);
  const host = api({ program: rem.path });
  plugin.register(host);
  const before = () => host.handlers.get("before_prompt_build")({ prompt: "hi", messages: [] }, CONTEXT);
  assert.equal(await host.handlers.get("session_start")({}, CONTEXT), undefined);
  assert.deepEqual(await before(), { prependContext: "session_start\n\nbefore_prompt_build" });
  assert.deepEqual(await before(), { prependContext: "before_prompt_build" });
  await host.handlers.get("after_compaction")({}, { ...CONTEXT, sessionId: "another" });
  assert.deepEqual(await before(), { prependContext: "before_prompt_build" });
});

test("every other event is passed on and answered with nothing", async () => {
  const rem = program("events", `console.log(JSON.stringify({ prependContext: "no" }));`);
  const host = api({ program: rem.path });
  plugin.register(host);
  for (const [name, handler] of host.handlers) {
    if (name === "before_prompt_build") continue;
    assert.equal(await handler({ messages: [] }, CONTEXT), undefined, name);
    assert.equal(JSON.parse(rem.asked().input).hook_event_name, name);
  }
});

test("nothing that goes wrong reaches the host", async () => {
  const broken = [
    { program: join(folder, "is-not-there") },
    { program: program("fails", "process.exit(3);").path },
    { program: program("babbles", `console.log("hello");`).path },
    { program: program("hangs", "setInterval(() => {}, 1000);").path, timeoutMs: 60 },
  ];
  for (const configured of broken) {
    const host = api(configured);
    plugin.register(host);
    for (const handler of host.handlers.values()) {
      assert.equal(await handler({ prompt: "hello" }, CONTEXT), undefined);
      assert.equal(await handler(undefined, undefined), undefined);
    }
    assert.deepEqual(await host.supplements[0].search({ query: "x" }), []);
    assert.equal(await host.supplements[0].get({ lookup: "MEMORY.md" }), null);
  }
});

test("a host without a corpus is served all the same", () => {
  const host = api(undefined);
  delete host.registerMemoryCorpusSupplement;
  plugin.register(host);
  assert.equal(host.handlers.has("agent_end"), true);
});

test("the answer is what the agent said since the person spoke last", () => {
  const messages = [
    { role: "user", content: "one" },
    { role: "assistant", content: "first" },
    { role: "user", content: [{ type: "text", text: "two" }] },
    { role: "assistant", content: [{ type: "thinking", thinking: "…" }, { type: "text", text: "I look." }, { type: "toolCall", id: "t", name: "x", arguments: {} }] },
    { role: "toolResult", toolCallId: "t", content: "found" },
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
    { role: "assistant", content: "NO_REPLY" },
  ];
  assert.equal(answer(messages), "I look.\n\nDone.");
  assert.equal(answer([{ role: "user", content: "x" }]), undefined);
  assert.equal(answer("x"), undefined);
});

test("the agent's folder is found by its id, and by nothing that leads elsewhere", () => {
  const environment = { OPENCLAW_STATE_DIR: "/state" };
  const told = (agentId) => said("agent_end", {}, { ...CONTEXT, agentId }, environment).agent_folder;
  assert.equal(told("main"), join("/state", "agents", "main"));
  for (const agent of ["../x", "a/b", "..", "", undefined, 7]) assert.equal(told(agent), undefined, String(agent));
});

test("a search gives OpenClaw's shape and cannot be taken for an option", async () => {
  const results = [{ id: "entity:a", path: "memory/a.md", start_line: 3, end_line: 5, score: 0.8, snippet: "A.", date: null }, {}];
  const rem = program("search", `console.log(${JSON.stringify(JSON.stringify({ mode: "hybrid", results }))});`);
  const found = await supplement({ program: rem.path }).search({ query: "--help", maxResults: 3 });
  assert.deepEqual(rem.asked().args, ["--json", "recall", "--limit", "3", "--", "--help"]);
  assert.deepEqual(found, [
    { corpus: "remembrancer", path: "memory/a.md", title: "entity:a", score: 0.8, snippet: "A.", startLine: 3, endLine: 5, citation: "memory/a.md#L3-L5", updatedAt: undefined },
  ]);
});

test("a memory's lines are read from its folder and from nowhere else", async () => {
  mkdirSync(join(folder, "w/memory"), { recursive: true });
  writeFileSync(join(folder, "w/memory/a.md"), "one\ntwo\nthree\nfour\n");
  writeFileSync(join(folder, "secret.md"), "secret\n");
  const rem = program("get", `console.log(JSON.stringify({ workspace: ${JSON.stringify(join(folder, "w"))} }));`);
  const corpus = supplement({ program: rem.path });
  assert.deepEqual(await corpus.get({ lookup: "memory/a.md#L2-L3", fromLine: 2, lineCount: 2 }), {
    corpus: "remembrancer", path: "memory/a.md", content: "two\nthree", fromLine: 2, lineCount: 2,
  });
  for (const lookup of ["../secret.md", "/etc/passwd", "memory/../../secret.md", ".rem/hooks.log", "memory/none.md", ""]) {
    assert.equal(await corpus.get({ lookup }), null, lookup);
  }
});

test("the manifests name what is there", () => {
  const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
  assert.equal(read("openclaw.plugin.json").id, plugin.id);
  for (const extension of read("package.json").openclaw.extensions) {
    assert.equal(existsSync(new URL(`../${extension}`, import.meta.url)), true, extension);
  }
});

const stripsTypes = Boolean(process.features.typescript);
test("the internal hook tells what ended", { skip: stripsTypes ? false : "this Node cannot read TypeScript" }, async () => {
  const handler = await import("../hook/handler.ts");
  const event = { type: "command", action: "reset", sessionKey: "agent:main:main", context: { previousSessionEntry: { sessionId: "s0" }, sessionEntry: { sessionId: "s1" } } };
  const told = handler.said(event);
  assert.equal(told.hook_event_name, "session_end");
  assert.equal(told.session_id, "s0");
  assert.equal(handler.said({ type: "message", action: "received", context: {} }), undefined);
});

/** With the real program, where it was built: REM_PROGRAM names it. */
const real = process.env.REM_PROGRAM;
test("the real program answers the plugin", { skip: real ? false : "REM_PROGRAM names no program" }, async () => {
  const { execFileSync } = await import("node:child_process");
  const workspace = join(folder, "real");
  const run = (...args) => execFileSync(real, ["-C", workspace, ...args], { encoding: "utf8" });
  execFileSync(real, ["init", workspace]);
  run("config", "set", "hooks.deadline_ms", "60000");
  run("remember", "The ledger is kept in integer cents, decided on 3 March.");
  const host = api({ program: real, workspace, timeoutMs: 10_000 });
  plugin.register(host);
  const result = await host.handlers.get("before_prompt_build")({ prompt: "what did we decide about the ledger?" }, CONTEXT);
  assert.match(result.prependContext, /integer cents/);
  const messages = [{ role: "user", content: "x" }, { role: "assistant", content: "It is kept in integer cents." }];
  await host.handlers.get("agent_end")({ messages, success: true }, { ...CONTEXT, agentId: undefined });
  const found = await host.supplements[0].search({ query: "ledger cents" });
  assert.equal(found.length > 0 && found[0].startLine > 0, true);
  const record = await host.supplements[0].get({ lookup: found[0].path });
  assert.match(record.content, /cents/);
});
