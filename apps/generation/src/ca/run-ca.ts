import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, type Environment, systemClock } from '@rubrica/process';
import { type CeremonyConfig, readCeremonyConfig } from '../config.ts';
import { type Ceremony, UsageError, withAudit, withKeys } from './ceremony.ts';
import { exportCertificates } from './export.ts';
import { init } from './init.ts';
import { renew } from './renew.ts';
import { rotate } from './rotate.ts';
import { status } from './status.ts';

const help = `npm run ca -- <step>

The certification authority of generation: its certificates, and where its keys are.

  init               make root, issuing authority and OCSP responder, where there are none
  status             show names, serials, validity, who is active, where each key lives
  rotate             make the next issuing authority under the same root
    --after <s>      seconds until it signs; else two rounds of CA_REFRESH_SECONDS,
                     after which every running copy knows it
  renew              renew OCSP responders that are in the last third of their life
  export [folder]    write the certificates as PEM files (ca-export unless named)

Without CA_DIRECTORY it works on the embedded stack (RUBRICA_HOME, else .rubrica);
with it, on the settings of a deployment, as in apps/generation/src/ca/README.md.
Ends with 0 when all is well, 1 when something failed or an operator must act, 2 when called wrongly.
With DATABASE_URL, or while the embedded stack runs, the audit log tells of init, rotate and renew.
Running services take changes up by themselves. No key and no PIN is ever shown.`;

export interface CaSurroundings {
  /** Else the process's own. */
  readonly env?: Environment;
  readonly cwd: string;
  readonly line: (text?: string) => void;
  readonly complain: (text: string) => void;
}

/** @returns exit code */
export async function runCa(args: readonly string[], surroundings: CaSurroundings): Promise<number> {
  const { line, complain, env } = surroundings;
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    line(help);
    return args.length === 0 ? 2 : 0;
  }
  try {
    return await runStep(args, readCeremonyConfig(env), surroundings);
  } catch (error) {
    complain(`\n  ✘ ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

async function runStep(
  args: readonly string[],
  config: CeremonyConfig,
  { cwd, line }: CaSurroundings,
): Promise<number> {
  const { step, rest, after } = readArguments(args);
  const shown = { config, line, now: systemClock() };
  const withAll = (run: (ceremony: Ceremony) => Promise<number>) =>
    withAudit(shown, (audit) => withKeys(config, (keys) => run({ ...shown, keys, audit })));
  switch (step) {
    case 'init':
      return withAll(init);
    case 'status':
      return status(shown);
    case 'rotate':
      return withAll((ceremony) => rotate(ceremony, after));
    case 'renew':
      return withAll(renew);
    case 'export':
      return exportCertificates(shown, resolve(cwd, rest ?? 'ca-export'));
    default:
      throw new UsageError(`There is no step "${step}". --help lists them.`);
  }
}

function readArguments(args: readonly string[]) {
  const { positionals, values } = parse(args);
  const [step = '', rest, ...others] = positionals;
  if (others.length > 0 || (rest !== undefined && step !== 'export')) {
    throw new UsageError(`"${others[0] ?? rest}" is more than ${step} takes.`);
  }
  if (values.after !== undefined && (step !== 'rotate' || !/^\d{1,7}$/.test(values.after))) {
    throw new UsageError('--after takes a number of seconds, and belongs to rotate.');
  }
  return { step, rest, after: values.after === undefined ? undefined : Number(values.after) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { after: { type: 'string' } } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
