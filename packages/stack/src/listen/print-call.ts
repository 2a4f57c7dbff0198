import { nearest, type Output } from '../terminal/style.ts';
import { describeAnswer } from '../webhooks/answers.ts';
import { printable } from './body-view.ts';
import type { SeenCall } from './seen-call.ts';

/** Path of a call's certificate file, or the reason why no file was written. */
export type Saved = { readonly path: string } | { readonly reason: string };

export interface CallPrinter {
  call(seen: SeenCall, saved: Saved | undefined): void;
}

/** Maximum lines of a body; a longer body is not a Rubrica event and is truncated. */
const bodyLines = 60;

/** Prints calls for a person. */
export function textPrinter(output: Output): CallPrinter {
  const row = (name: string, value: string) => output.line(`    ${output.dim(name.padEnd(11))} ${value}`);
  return {
    call(seen, saved) {
      const { verdict } = seen;
      const mark = verdict.valid ? output.good('✔') : output.bad('✘');
      const time = seen.receivedAt.toTimeString().slice(0, 8);
      const event = orNone(seen.event, 'no x-rubrica-event');
      output.line(`\n  ${mark} ${output.bold(event)}  ${output.dim(time)}`);
      row(
        'signature',
        verdict.valid
          ? `${output.good('valid')}, made with the secret of ${verdict.key} (${verdict.version})`
          : output.bad(printable(verdict.message)),
      );
      row('id', `${orNone(seen.id, 'none')}  ${output.dim(`attempt ${seen.attempt}`)}`);
      row('occurred', orNone(seen.occurredAt, 'not said'));
      row('signed', describeLatency(seen.latencySeconds));
      row('answered', describeOutcome(seen));
      if (saved !== undefined)
        row('saved', 'path' in saved ? output.accent(nearest(saved.path)) : `no: ${saved.reason}`);
      for (const line of bodyText(seen)) output.line(`    ${line}`);
    },
  };
}

/** Prints one line of JSON per call. */
export function jsonPrinter(output: Output): CallPrinter {
  return {
    call(seen, saved) {
      const { verdict, answer } = seen;
      const line = {
        receivedAt: seen.receivedAt.toISOString(),
        id: seen.id || null,
        event: seen.event || null,
        attempt: seen.attempt,
        signature: verdict.valid
          ? { valid: true, version: verdict.version, secret: verdict.key }
          : { valid: false, fault: verdict.fault, message: verdict.message },
        occurredAt: seen.occurredAt || null,
        latencySeconds: seen.latencySeconds ?? null,
        answer: typeof answer === 'string' ? { fault: answer } : answer,
        saved: saved ?? null,
        body: seen.body ?? null,
      };
      output.line(escapeControls(JSON.stringify(line)));
    },
  };
}

/** Escapes the control characters that JSON leaves unchanged: a terminal would execute them. */
function escapeControls(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}]/gu, (one) =>
    [...Array(one.length).keys()]
      .map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function orNone(text: string, none: string) {
  return text === '' ? `(${none})` : printable(text);
}

/** Describes the latency in whole seconds, because the timestamp is no more precise. */
function describeLatency(seconds: number | undefined): string {
  if (seconds === undefined) return '(no time)';
  if (seconds < 0) return `${Math.ceil(-seconds)} s ahead of this clock`;
  return seconds < 1 ? 'less than 1 s before it arrived' : `${Math.floor(seconds)} s before it arrived`;
}

function describeOutcome({ answer, delayMs }: SeenCall): string {
  const later = delayMs === 0 ? '' : ` after ${delayMs} ms`;
  return `${describeAnswer(answer)}${later}`;
}

function bodyText({ body, bytes }: SeenCall): string[] {
  if (body === undefined) return [`(${bytes} bytes that are no JSON)`];
  const lines = JSON.stringify(body, null, 2).split('\n').map(printable);
  if (lines.length <= bodyLines) return lines;
  return [...lines.slice(0, bodyLines), `… and ${lines.length - bodyLines} more lines`];
}
