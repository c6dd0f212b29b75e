/** The internal hook: see HOOK.md. It stands alone, so that its folder can be copied. Only types that Node can leave out. */
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";

type Context = {
  sessionEntry?: { sessionId?: string; sessionFile?: string };
  previousSessionEntry?: { sessionId?: string; sessionFile?: string };
  workspaceDir?: string;
};
type HookEvent = { type: string; action: string; sessionKey?: string; context?: Context };

const ENDS = new Set(["command:new", "command:reset", "command:stop"]);

/** What `rem hook openclaw` is told. */
export function said(event: HookEvent): Record<string, unknown> | undefined {
  const name = `${event.type}:${event.action}`;
  const isOver = ENDS.has(name);
  if (!isOver && name !== "session:compact:before") return undefined;
  const entry = (isOver ? event.context?.previousSessionEntry : undefined) ?? event.context?.sessionEntry;
  if (!entry?.sessionId) return undefined;
  const agent = /^agent:([A-Za-z0-9_-]+):/.exec(event.sessionKey ?? "")?.[1] ?? "main";
  const state = process.env.OPENCLAW_STATE_DIR || join(homedir(), ".openclaw");
  return {
    hook_event_name: isOver ? "session_end" : "before_compaction",
    session_id: entry.sessionId,
    session_file: entry.sessionFile,
    agent_folder: join(state, "agents", agent),
  };
}

export default async function handler(event: HookEvent): Promise<void> {
  const told = said(event);
  if (!told) return;
  const child = spawn("rem", ["hook", "openclaw"], {
    // The memory is the one at or above the agent's workspace, else ~/.rem.
    cwd: event.context?.workspaceDir,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(told));
}
