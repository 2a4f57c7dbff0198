import type { ServerResponse } from 'node:http';
import type { Output } from '../terminal/style.ts';
import { give } from '../webhooks/answers.ts';
import { type Call, type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { type NamedKey, verifyCall } from '../webhooks/verify.ts';
import { printable } from './body-view.ts';
import type { ListenOptions } from './listen-options.ts';
import { jsonPrinter, type Saved, textPrinter } from './print-call.ts';
import { saveBundle } from './save-bundle.ts';
import { describeCall, type SeenCall } from './seen-call.ts';
import { createTally } from './tally.ts';

export interface Listening {
  readonly url: string;
  /**
   * Ends open calls.
   * @returns the lines of the summary
   */
  stop(): Promise<string[]>;
}

export interface ListenDeps {
  readonly options: Pick<ListenOptions, 'plan' | 'saveTo' | 'showSecrets' | 'toleranceSeconds' | 'json'>;
  readonly port: number;
  readonly keys: readonly NamedKey[];
  readonly strangers: readonly NamedKey[];
  /** Output for calls; all other lines go to `notes`. */
  readonly output: Output;
  readonly notes: Output;
}

/** Accepts calls, answers them by the plan and shows them in order of arrival. */
export async function startListening(deps: ListenDeps): Promise<Listening> {
  const { options, output, notes } = deps;
  const tally = createTally();
  const printer = options.json ? jsonPrinter(output) : textPrinter(output);
  let shown: Promise<void> = Promise.resolve();
  const show = async (call: Call, seen: SeenCall) => {
    tally.add(seen);
    printer.call(seen, await save(call, seen, options.saveTo));
  };
  const receiver: Receiver = await startReceiver({
    port: deps.port,
    onCall(call, response) {
      const seen = judge(call, tally.attempt(call.headers['webhook-id'] ?? ''), deps);
      answerLater(seen, response);
      shown = shown.then(() => show(call, seen));
    },
    onOther: (what) => notes.line(`  ${notes.dim(printable(what))}`),
  });
  return {
    url: receiver.url,
    async stop() {
      await receiver.close();
      await shown;
      return tally.summary();
    },
  };
}

function judge(call: Call, attempt: number, { keys, strangers, options }: ListenDeps): SeenCall {
  const { steps, delayMs } = options.plan;
  const verdict = verifyCall(call, {
    keys,
    strangers,
    nowMs: call.receivedAt.getTime(),
    toleranceSeconds: options.toleranceSeconds,
  });
  const answer = steps[Math.min(attempt, steps.length) - 1] ?? { status: 204 };
  return describeCall(call, { attempt, verdict, answer, delayMs, showSecrets: options.showSecrets });
}

function answerLater({ answer, delayMs }: SeenCall, response: ServerResponse): void {
  if (delayMs === 0) {
    give(answer, response);
    return;
  }
  const timer = setTimeout(() => give(answer, response), delayMs);
  response.once('close', () => clearTimeout(timer));
}

/** Writes only files that the service signed: every program on this machine can call. */
async function save(call: Call, seen: SeenCall, folder: string | undefined): Promise<Saved | undefined> {
  if (folder === undefined || seen.event !== 'certificate.issued') return undefined;
  if (!seen.verdict.valid) return { reason: 'the call is not verified' };
  try {
    const path = await saveBundle(folder, call.body);
    return path === undefined ? { reason: 'the body holds no certificate file' } : { path };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}
