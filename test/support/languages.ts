/** Finds the languages of the published samples that this machine can run. */
import { spawnSync } from 'node:child_process';

const commands = { sh: 'bash', ts: process.execPath, python: 'python3', php: 'php' } as const;

export type Language = keyof typeof commands;

/** The installed languages, which are the ones that tests run. PHP, for example, is not on every machine. */
export const installed = (Object.keys(commands) as Language[]).filter(
  (language) => spawnSync(commands[language], ['--version']).status === 0,
);

export const commandOf = (language: Language): string => commands[language];
