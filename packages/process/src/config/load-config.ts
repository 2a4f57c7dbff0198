import { renderCheckMessage } from '@rubrica/contracts/error-texts/check-message';
import type { z } from 'zod';
import { refusedSettings } from './production-rules.ts';
import { listSettings, type SettingLeaf } from './walk-settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings are invalid; `message` lists every fault for the person who set them. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads a nested, typed configuration from environment variables. An empty variable counts as absent, because compose
 * files and Kubernetes set empty ones for missing values.
 *
 * @throws ConfigError with all faults at once, including settings that contradict SANDBOX; values of secret settings
 * are never quoted
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, env: Environment): z.output<Schema> {
  const leaves = listSettings(schema);
  const raw: Record<string, unknown> = {};
  for (const leaf of leaves) setAtPath(raw, leaf.path, env[leaf.facts.env] || undefined);
  const result = schema.safeParse(raw);
  const refused = refusedSettings(
    leaves.map(({ facts }) => facts.env),
    env,
  );
  if (result.success && refused.length === 0) return result.data;
  const faults = result.error?.issues.map((issue) => describe(issue, leaves, env)) ?? [];
  throw new ConfigError([...new Set([...faults, ...refused])]);
}

function setAtPath(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  target[key] ??= {};
  setAtPath(target[key] as Record<string, unknown>, rest, value);
}

function describe(issue: z.core.$ZodIssue, leaves: readonly SettingLeaf[], env: Environment): string {
  const leaf = leaves.find(({ path }) => path.every((key, index) => issue.path[index] === key));
  const message = renderCheckMessage(issue.message);
  if (!leaf) return message;
  const { env: name, about, secret } = leaf.facts;
  const value = env[name];
  if (!value) return `${name} is required: ${about}`;
  return secret ? `${name}: ${message}` : `${name}: ${message} (it is "${value}")`;
}
