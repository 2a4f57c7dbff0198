import { resolve } from 'node:path';
import { ConfigError, type Environment } from '@rubrica/process/config';
import { systemClock } from '@rubrica/process/time';
import { readCeremonyConfig, readRootConfig } from '../config.ts';
import { type Ceremony, UsageError, withAudit, withKeys } from './ceremony.ts';
import { exportCertificates } from './export.ts';
import { init } from './init.ts';
import { install } from './install.ts';
import { readArguments, type StepArguments } from './read-arguments.ts';
import { renew } from './renew.ts';
import { request } from './request.ts';
import { runRootStep } from './root/run-root.ts';
import { rotate } from './rotate.ts';
import { status } from './status.ts';

const help = `npm run ca -- <step>

The certification authority of generation: its certificates, and where its keys are.

Where the services run:
  request [folder]     make an issuing key, and the request that is carried to the root
  install <file>       put in place what came back: a certificate with its chain and a CRL, or a CRL
    --root <sha256>      of the root's certificate, from paper; needed the first time
  status               show names, serials, validity, who is active, where each key lives
  renew                renew OCSP responders that are in the last third of their life
  export [folder]      write the certificates as PEM files (ca-export unless named)

Where the root is, on a token or in a folder of its own, and nothing else runs:
  root init [folder]   make the root
  root sign <request> [folder]
    --sha256 <sha256>    of the request, from paper
  root crl [folder]    sign the next CRL of the root
  root status          show the root and what it has signed

For testing, both at once in one folder:
  init                 make root, issuing authority and OCSP responder, where there are none
  rotate               make the next issuing authority under the same root

install and rotate:
  --after <s>          seconds until the new authority signs; else two rounds of CA_REFRESH_SECONDS,
                       after which every running copy knows it
request, root sign and rotate:
  --may-differ <name,key-type>
                       what may differ from the authority before; else neither may
request:
  --number <n>         of the authority, where the next one is taken at the root by a request that was lost

Without CA_DIRECTORY it works on the embedded stack (RUBRICA_HOME, else .rubrica);
with it, on the settings of a deployment, as in apps/generation/src/ca/README.md.
Ends with 0 when all is well, 1 when something failed or an operator must act, 2 when called wrongly.
With DATABASE_URL, or while the embedded stack runs, the audit log tells of init, install, rotate and renew.
Running services take changes up by themselves. No key and no PIN is ever shown.`;

export interface CaContext {
  /** Environment; that of the process by default. */
  readonly env?: Environment;
  readonly cwd: string;
  readonly line: (text?: string) => void;
  readonly complain: (text: string) => void;
}

/**
 * Runs the command.
 * @returns exit code
 */
export async function runCa(args: readonly string[], surroundings: CaContext): Promise<number> {
  const { line, complain } = surroundings;
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    line(help);
    return args.length === 0 ? 2 : 0;
  }
  try {
    return await runStep(readArguments(args), surroundings);
  } catch (error) {
    complain(`\n  ✘ ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

async function runStep(stepArguments: StepArguments, { env, cwd, line }: CaContext): Promise<number> {
  if (stepArguments.step.startsWith('root '))
    return runRootStep(stepArguments, { config: readRootConfig(env), cwd, line });
  const config = readCeremonyConfig(env);
  const context = { config, line, now: systemClock() };
  const runWithKeys = (run: (ceremony: Ceremony) => Promise<number>) =>
    withAudit(context, (audit) => withKeys(config, (keys) => run({ ...context, keys, audit })));
  const { rest, root: rootDigest } = stepArguments;
  const [path = '.'] = rest;
  switch (stepArguments.step) {
    case 'init':
      return runWithKeys(init);
    case 'status':
      return status(context);
    case 'rotate':
      return runWithKeys((ceremony) => rotate(ceremony, stepArguments));
    case 'renew':
      return runWithKeys(renew);
    case 'export':
      return exportCertificates(context, resolve(cwd, rest[0] ?? 'ca-export'));
    case 'request':
      return withKeys(config, (keys) =>
        request({ ...context, keys }, { ...stepArguments, folder: resolve(cwd, path) }),
      );
    case 'install':
      return runWithKeys((ceremony) =>
        install(ceremony, { ...stepArguments, rootDigest, file: resolve(cwd, path) }),
      );
    default:
      throw new UsageError(`There is no step "${stepArguments.step}". --help lists them.`);
  }
}
