import { resolve } from 'node:path';
import { systemClock } from '@rubrica/process/time';
import { UsageError } from '../ceremony.ts';
import type { StepArguments } from '../read-arguments.ts';
import { initRoot } from './init-root.ts';
import type { RootCeremony } from './root-ceremony.ts';
import { openRootKeys } from './root-keys.ts';
import { showRoot } from './show-root.ts';
import { signNextRootCrl } from './sign-crl.ts';
import { signRequest } from './sign-request.ts';

/**
 * Runs one step at the root.
 * @returns exit code
 */
export async function runRootStep(
  { step, rest, sha256, mayDiffer }: StepArguments,
  { config, cwd, line }: Pick<RootCeremony, 'config' | 'line'> & { cwd: string },
): Promise<number> {
  const keys = openRootKeys(config);
  const ceremony = { config, keys, line, now: systemClock() };
  const [first = '.', second = '.'] = rest.map((path) => resolve(cwd, path));
  try {
    switch (step) {
      case 'root init':
        return await initRoot(ceremony, resolve(cwd, first));
      case 'root crl':
        return await signNextRootCrl(ceremony, resolve(cwd, first));
      case 'root sign':
        if (sha256 === undefined)
          throw new UsageError('root sign needs --sha256: that of the request, from paper.');
        return await signRequest(ceremony, {
          path: first,
          folder: resolve(cwd, second),
          announced: sha256,
          mayDiffer,
        });
      default:
        return await showRoot(ceremony);
    }
  } finally {
    await keys.close();
  }
}
