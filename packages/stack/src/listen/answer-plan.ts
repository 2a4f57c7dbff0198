import { UsageError } from '../terminal/arguments.ts';
import { type Answer, type FaultName, faultNames } from '../webhooks/answers.ts';

export interface AnswerPlan {
  /** Answers by attempt of an event; the last applies to all further attempts. */
  readonly steps: readonly Answer[];
  /** Pause before each answer. */
  readonly delayMs: number;
}

export type AnswerArguments = Partial<
  Readonly<Record<'answer' | 'redirect' | 'retry-after' | 'delay', string | undefined>> &
    Readonly<Record<FaultName | 'gone', boolean | undefined>>
>;

/** Longest intentional delay of an answer. */
const maxDelayMs = 600_000;

/** Parses the options that determine the answers. Throws UsageError if they contradict each other. */
export function readAnswerPlan(values: AnswerArguments): AnswerPlan {
  const ways = [
    ...(values.answer === undefined ? [] : [{ option: '--answer', steps: readSequence(values.answer) }]),
    ...(values.redirect === undefined
      ? []
      : [{ option: '--redirect', steps: [redirectTo(values.redirect)] }]),
    ...(values.gone ? [{ option: '--gone', steps: [{ status: 410 }] }] : []),
    ...faultNames.filter((name) => values[name]).map((name) => ({ option: `--${name}`, steps: [name] })),
  ];
  if (ways.length > 1) {
    const given = ways.map(({ option }) => option).join(' and ');
    throw new UsageError(
      `${given} exclude each other; --answer takes them in order, for example --answer hang,500,204.`,
    );
  }
  const delayMs = values.delay === undefined ? 0 : readNumber('--delay', values.delay, maxDelayMs);
  if (values['retry-after'] === undefined) return { steps: ways[0]?.steps ?? [{ status: 204 }], delayMs };
  return { steps: withRetryAfter(ways[0]?.steps ?? [{ status: 503 }], values['retry-after']), delayMs };
}

export function readNumber(option: string, text: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new UsageError(`${option} takes a whole number from 0 to ${max}; got "${text}".`);
}

function readSequence(text: string): Answer[] {
  return text.split(',').map((part): Answer => {
    const word = part.trim();
    const fault = faultNames.find((name) => name === word);
    if (fault !== undefined) return fault;
    if (word === 'gone') return { status: 410 };
    if (/^[2-5]\d\d$/.test(word)) return { status: Number(word) };
    throw new UsageError(
      `--answer takes statuses from 200 to 599 and ${[...faultNames, 'gone'].join(', ')}, divided by commas; got "${part}".`,
    );
  });
}

/**
 * Redirects with 307, which preserves method and body: a sender that follows redirects would pass the certificate on.
 */
function redirectTo(address: string): Answer {
  if (!URL.canParse(address)) throw new UsageError(`--redirect takes an address; got "${address}".`);
  return { status: 307, headers: { location: new URL(address).href } };
}

/** Adds Retry-After to refusals only: no sender waits after an acknowledgement. */
function withRetryAfter(steps: readonly Answer[], seconds: string): Answer[] {
  readNumber('--retry-after', seconds, 999_999_999);
  const isRefusal = (step: Answer) => typeof step !== 'string' && step.status >= 300;
  if (!steps.some(isRefusal)) {
    throw new UsageError('--retry-after goes with a refusal; none of the answers is one.');
  }
  return steps.map((step) => {
    if (typeof step === 'string' || step.status < 300) return step;
    return { ...step, headers: { ...step.headers, 'retry-after': seconds } };
  });
}
