import { join } from 'node:path';
import { nativeSpread } from '@rubrica/build/native-spread';
import { rolldown } from 'rolldown';

/** Builds caller and server as `packages/build` does services: what it changes in tRPC is a fifth of a call. */
export async function buildWays(into: string): Promise<void> {
  const source = (name: string) => join(import.meta.dirname, `${name}.ts`);
  await using build = await rolldown({
    input: { server: source('server'), ways: source('ways') },
    platform: 'node',
    tsconfig: false,
    plugins: [nativeSpread],
    logLevel: 'warn',
  });
  await build.write({ dir: into, format: 'esm', entryFileNames: '[name].mjs' });
}
