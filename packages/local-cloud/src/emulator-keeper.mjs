// @ts-check
/**
 * `node emulator-keeper.mjs COMMAND ARGS…` runs the command until it ends or stdin ends: the system closes that pipe
 * even if the parent is killed, so that no emulator is left running that would still write to the data folder. It is
 * plain JavaScript, because stripping types would delay the start.
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
// A terminal sends Ctrl-C to all its processes. Only the end of stdin counts here.
process.on('SIGINT', () => undefined);
