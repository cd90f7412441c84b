/** How a bundle loads the modules of Node. */
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const builtin = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`);

/**
 * An import of `node:http` or `node:fs` evaluates all exports of the module, and some of them load more: undici, the
 * REPL's line editor, all of web crypto. `process.getBuiltinModule` loads only what is used. CommonJS packages then
 * also need no `require`.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: builtin }, ({ path }) => ({ path: path.replace(/^node:/, ''), namespace: 'builtin' }));
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};
