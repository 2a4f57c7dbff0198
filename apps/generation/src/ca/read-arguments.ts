import { parseArgs } from 'node:util';
import { UsageError } from './ceremony.ts';
import { type Difference, differences } from './differences.ts';

/** Steps with their positional arguments and options. */
const steps = {
  init: { takes: [], options: [] },
  status: { takes: [], options: [] },
  rotate: { takes: [], options: ['after', 'may-differ'] },
  renew: { takes: [], options: [] },
  export: { takes: ['folder?'], options: [] },
  request: { takes: ['folder?'], options: ['may-differ', 'number'] },
  install: { takes: ['file'], options: ['after', 'root'] },
  'root init': { takes: ['folder?'], options: [] },
  'root sign': { takes: ['file', 'folder?'], options: ['sha256', 'may-differ'] },
  'root crl': { takes: ['folder?'], options: [] },
  'root status': { takes: [], options: [] },
} as const satisfies Record<string, { takes: readonly string[]; options: readonly OptionName[] }>;
export type Step = keyof typeof steps;

type OptionName = 'after' | 'may-differ' | 'number' | 'root' | 'sha256';

export interface StepArguments {
  readonly step: Step;
  readonly rest: readonly string[];
  readonly afterSeconds: number | undefined;
  readonly mayDiffer: readonly Difference[];
  readonly number: number | undefined;
  /** SHA-256 in lower-case hexadecimal. */
  readonly root: string | undefined;
  readonly sha256: string | undefined;
}

/**
 * Parses the arguments of the command.
 * @throws UsageError
 */
export function readArguments(args: readonly string[]): StepArguments {
  const { positionals, values } = parse(args);
  const [step, rest] = parseStep(positionals);
  const { takes, options }: { takes: readonly string[]; options: readonly string[] } = steps[step];
  if (rest.length > takes.length) throw new UsageError(`"${rest[takes.length]}" is more than ${step} takes.`);
  const missing = takes[rest.length];
  if (missing !== undefined && !missing.endsWith('?')) throw new UsageError(`${step} takes a ${missing}.`);
  const stray = Object.keys(values).find((name) => !options.includes(name));
  if (stray !== undefined) throw new UsageError(`--${stray} does not belong to ${step}.`);
  return {
    step,
    rest,
    afterSeconds: parseSeconds(values.after),
    mayDiffer: parseDifferences(values['may-differ']),
    number: parseNumber(values.number),
    root: parseDigest('root', values.root),
    sha256: parseDigest('sha256', values.sha256),
  };
}

function parseStep([first = '', ...others]: readonly string[]): [Step, readonly string[]] {
  const [second = '', ...rest] = others;
  const step = first === 'root' ? `root ${second}`.trim() : first;
  if (!(step in steps)) throw new UsageError(`There is no step "${step}". --help lists them.`);
  return [step as Step, first === 'root' ? rest : others];
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,7}$/.test(text)) throw new UsageError('--after takes a number of seconds.');
  return Number(text);
}

function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError('--number takes that of an authority: 2, 3, …');
  return Number(text);
}

function parseDifferences(text: string | undefined): Difference[] {
  const named = text?.split(',') ?? [];
  const known = differences.filter((difference) => named.includes(difference));
  if (known.length !== named.length) throw new UsageError(`--may-differ takes ${differences.join(',')}.`);
  return known;
}

/** Parses a digest in the form of this command or of OpenSSL: with blanks or colons, in either case. */
function parseDigest(option: string, text: string | undefined): string | undefined {
  const digest = text?.replaceAll(/[\s:]/g, '').toLowerCase();
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest)) {
    throw new UsageError(`--${option} takes a SHA-256: 64 hexadecimal digits.`);
  }
  return digest;
}

function parse(args: readonly string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { after: option, 'may-differ': option, number: option, root: option, sha256: option },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
