/** How a bundle comes to the modules of Node. */
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const builtin = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`);

/**
 * An import of `node:http` or `node:fs` reads all that the module exports, and what stands behind some of these is loaded
 * for it: undici, the REPL's line editor, all of web crypto. A caller of the module itself pays for what it uses.
 * It also spares packages of CommonJS their `require`.
 */
export const handedBuiltins: Plugin = {
  name: 'handed-builtins',
  setup(build) {
    build.onResolve({ filter: builtin }, ({ path }) => ({ path: path.replace(/^node:/, ''), namespace: 'builtin' }));
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};
