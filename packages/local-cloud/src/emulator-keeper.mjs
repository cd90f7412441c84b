// @ts-check
/**
 * `node emulator-keeper.mjs COMMAND ARGS…` runs the command until it ends or the end of stdin: the system closes that pipe
 * even when the process at its other end is killed, so that no emulator is left behind that would still write to the data
 * folder. Plain JavaScript, which a process needs not strip of its types before it begins.
 */
import { spawn } from 'node:child_process';

const [, , command = '', ...args] = process.argv;
const emulator = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
emulator.once('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
emulator.once('exit', (code) => process.exit(code ?? 1));
process.stdin.once('end', () => emulator.kill()).resume();
// A terminal sends Ctrl-C to everybody. The end of stdin decides here.
process.on('SIGINT', () => undefined);
