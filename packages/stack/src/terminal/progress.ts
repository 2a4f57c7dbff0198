import { type Output, seconds } from './style.ts';

export interface Progress {
  begin(text: string): void;
  /** Shows the progress of a running step, such as a download. */
  detail(step: string, text: string): void;
  done(text: string, note?: string): void;
  /** Removes the animated line before an error is printed. */
  close(): void;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 90;
/** Interval of reminders during a long wait where the output has no animated line. */
const reminderMs = 10_000;

/** Shows one line per finished step, and below them an animated one with the steps in progress. */
export function createProgress(output: Output, now: () => number = () => performance.now()): Progress {
  const running = new Map<string, { since: number; detail: string }>();
  const moving = output.interactive ? movingLine(output, () => describe(running)) : undefined;
  const reminder = moving === undefined ? startReminder(output, running, now) : undefined;
  return {
    begin(text) {
      running.set(text, { since: now(), detail: '' });
      moving?.draw();
    },
    detail(step, text) {
      const entry = running.get(step);
      if (entry?.detail === text) return;
      if (entry !== undefined) entry.detail = text;
      if (moving === undefined) output.line(`  … ${step}: ${text}`);
    },
    done(text, note = '') {
      const since = running.get(text)?.since ?? now();
      running.delete(text);
      moving?.clear();
      const tail = [seconds(now() - since), note].filter((part) => part !== '').join('  ');
      output.line(`  ${output.good('✔')} ${text.padEnd(34)} ${output.dim(tail)}`);
      moving?.draw();
    },
    close() {
      running.clear();
      moving?.close();
      clearInterval(reminder);
    },
  };
}

function describe(running: ReadonlyMap<string, { detail: string }>): string {
  return [...running].map(([name, { detail }]) => (detail === '' ? name : `${name}: ${detail}`)).join(' · ');
}

function movingLine(output: Output, text: () => string) {
  let frame = 0;
  const clear = () => {
    output.stream.cursorTo(0);
    output.stream.clearLine(0);
  };
  const draw = () => {
    const words = text();
    if (words === '') return;
    clear();
    const width = (output.stream.columns ?? 80) - 5;
    const shown = words.length > width ? `${words.slice(0, width - 1)}…` : words;
    output.stream.write(`  ${output.accent(frames[frame % frames.length] as string)} ${shown}`);
  };
  const timer = setInterval(() => {
    frame += 1;
    draw();
  }, frameMs);
  timer.unref();
  return {
    clear,
    draw,
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

function startReminder(
  output: Output,
  running: ReadonlyMap<string, { since: number; detail: string }>,
  now: () => number,
): NodeJS.Timeout {
  const timer = setInterval(() => {
    for (const [name, { since }] of running) output.line(`  … ${name} (${seconds(now() - since)})`);
  }, reminderMs);
  return timer.unref();
}
