import { resolve } from 'node:path';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { readArguments, UsageError } from '../terminal/arguments.ts';
import { faultNames } from '../webhooks/answers.ts';
import { readVerificationKey } from '../webhooks/secrets.ts';
import { defaultToleranceSeconds, type NamedKey } from '../webhooks/verify.ts';
import { type AnswerPlan, readAnswerPlan, readNumber } from './answer-plan.ts';

export interface ListenOptions {
  /** Keys from `--secret` or the environment; empty when a partner's key applies. */
  readonly keys: readonly NamedKey[];
  /** Name of a partner of the running stack. */
  readonly partner: string;
  readonly toleranceSeconds: number;
  /** Undefined: the usual port, or a free one where that is taken. */
  readonly port: number | undefined;
  readonly plan: AnswerPlan;
  readonly saveTo: string | undefined;
  readonly register: boolean;
  readonly json: boolean;
  readonly showSecrets: boolean;
}

/** Name of the environment variable that keeps a secret out of the process list and the shell history. */
export const secretVariable = 'WEBHOOK_SECRET';

const maxToleranceSeconds = (366 * DAY_MS) / 1_000;

export function readListenOptions(
  args: readonly string[],
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): ListenOptions {
  const { values } = readArguments(args, {
    secret: { type: 'string', multiple: true },
    partner: { type: 'string' },
    tolerance: { type: 'string' },
    port: { type: 'string' },
    save: { type: 'string' },
    register: { type: 'boolean' },
    json: { type: 'boolean' },
    'show-secrets': { type: 'boolean' },
    answer: { type: 'string' },
    redirect: { type: 'string' },
    gone: { type: 'boolean' },
    'retry-after': { type: 'string' },
    delay: { type: 'string' },
    ...faultOptions(),
  });
  if (values.secret !== undefined && values.partner !== undefined) {
    throw new UsageError('--secret and --partner exclude each other: both say what to verify with.');
  }
  const environment = values.partner === undefined ? (env[secretVariable]?.split(/\s+/) ?? []) : [];
  return {
    keys: readKeys(values.secret ?? environment.filter((one) => one !== '')),
    partner: values.partner ?? 'sandbox',
    toleranceSeconds:
      values.tolerance === undefined
        ? defaultToleranceSeconds
        : readNumber('--tolerance', values.tolerance, maxToleranceSeconds),
    port: values.port === undefined ? undefined : readNumber('--port', values.port, 65_535),
    plan: readAnswerPlan(values),
    saveTo: values.save === undefined ? undefined : resolve(cwd, values.save),
    register: values.register === true,
    json: values.json === true,
    showSecrets: values['show-secrets'] === true,
  };
}

function faultOptions() {
  const pairs = faultNames.map((name) => [name, { type: 'boolean' }] as const);
  return Object.fromEntries(pairs) as Record<(typeof faultNames)[number], { type: 'boolean' }>;
}

function readKeys(secrets: readonly string[]): NamedKey[] {
  return secrets.map((secret, index) => {
    const name = secrets.length === 1 ? 'yours' : `yours, number ${index + 1}`;
    try {
      return { name, key: readVerificationKey(secret) };
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  });
}
