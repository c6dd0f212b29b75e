/**
 * Calling the program `rem`. It is never waited for longer than is said, and whatever goes wrong comes to no answer: a memory that is
 * away must not keep an agent from answering.
 */
import { execFile } from "node:child_process";

/**
 * @typedef {object} Settings
 * @property {string} [program] the program, `rem` by default
 * @property {string} [workspace] the memory's folder
 * @property {string} [folder] the folder to run in, from which a memory is looked for where none is named
 * @property {number} [timeoutMs] how long it is waited for
 */

/** The most that is read of an answer, in bytes. */
const MOST = 4 * 1024 * 1024;
const TIMEOUT = 2000;

/**
 * Runs `rem` and gives what it printed as JSON; `undefined` where there is none.
 *
 * @param {Settings} settings
 * @param {string[]} args
 * @param {unknown} [input] what it reads, as JSON
 * @returns {Promise<any>}
 */
export function rem(settings, args, input) {
  const all = settings.workspace ? ["-C", settings.workspace, ...args] : args;
  const options = { timeout: settings.timeoutMs ?? TIMEOUT, maxBuffer: MOST, windowsHide: true, cwd: settings.folder };
  return new Promise((resolve) => {
    try {
      const child = execFile(settings.program ?? "rem", all, options, (error, stdout) => {
        resolve(error ? undefined : parsed(stdout));
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input === undefined ? "" : JSON.stringify(input));
    } catch {
      resolve(undefined);
    }
  });
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Calls `rem hook openclaw`.
 *
 * @param {Settings} settings
 * @param {Record<string, unknown>} said
 */
export function hook(settings, said) {
  return rem(settings, ["hook", "openclaw"], said);
}
