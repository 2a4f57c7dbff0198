import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeApi, head } from './describe-api.ts';

/**
 * Modules of the contracts that a dashboard runs. The package has copies, because it depends on none of our packages.
 */
const copiedModules = ['approval-challenge', 'canonical-value', 'challenge-bytes'];

/** Lists every generated file of `src`, by its name. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const copies = copiedModules.map((name) => {
    const source = fileURLToPath(import.meta.resolve(`@rubrica/contracts/shared/${name}`));
    return [`${name}.ts`, `${head}\n\n${readFileSync(source, 'utf8')}`] as const;
  });
  return { 'api.ts': describeApi(), ...Object.fromEntries(copies) };
}
