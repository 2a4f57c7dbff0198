import { relative } from 'node:path';
import { styleText } from 'node:util';

export interface Output {
  readonly stream: NodeJS.WriteStream;
  readonly interactive: boolean;
  line(text?: string): void;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  accent(text: string): string;
}

/** Enables colour and cursor movement only for a person at a terminal; NO_COLOR and pipes get plain text. */
export function createOutput(stream: NodeJS.WriteStream = process.stdout): Output {
  const interactive = stream.isTTY === true && process.env.TERM !== 'dumb' && !process.env.CI;
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream, validateStream: true });
  return {
    stream,
    interactive,
    line: (text = '') => void stream.write(text === '' ? '\n' : `${text}\n`),
    bold: style('bold'),
    dim: style('dim'),
    good: style('green'),
    bad: style('red'),
    accent: style('cyan'),
  };
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Shortens a path as a person would type it here. */
export function nearest(path: string): string {
  const local = relative(process.cwd(), path);
  return local.startsWith('..') ? path : local;
}
