/**
 * `node --import` this for a program that prints through TypeScript's JavaScript API, which TypeScript 7 lacks.
 * `@ts-morph/common` contains the last version that has it.
 */
import { registerHooks } from 'node:module';

const legacy = new URL('typescript.js', import.meta.resolve('@ts-morph/common')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: legacy, format: 'commonjs', shortCircuit: true } : next(specifier, context),
});
