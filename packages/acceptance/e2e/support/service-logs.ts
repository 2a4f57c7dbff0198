import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@rubrica/contracts/shared/enumerations';

export interface LogLine {
  readonly level: string;
  readonly service: string;
  readonly message: string;
  /** Table of an alarm about a row. */
  readonly table?: string;
}

/** Length of each service's log, which contains the lines of other tests. */
export type LogSizes = Readonly<Record<string, number>>;

export async function logsSoFar(home: string): Promise<LogSizes> {
  return Object.fromEntries((await serviceLogs(home)).map(([file, bytes]) => [file, bytes.length]));
}

/**
 * Lists the errors that the services of a stack have logged since; in a test that breaks nothing, there must be none.
 */
export async function errorsLogged(home: string, before: LogSizes): Promise<LogLine[]> {
  const texts = (await serviceLogs(home)).map(([file, bytes]) => bytes.subarray(before[file]).toString());
  return texts.flatMap((text) => text.split('\n').flatMap(parse)).filter(isError);
}

async function serviceLogs(home: string): Promise<[file: string, bytes: Buffer][]> {
  const folder = join(home, 'logs');
  const files = (await readdir(folder)).filter((file) =>
    services.some((service) => file.startsWith(service)),
  );
  return Promise.all(files.map(async (file) => [file, await readFile(join(folder, file))]));
}

const isError = ({ level }: LogLine) => level === 'error' || level === 'fatal';

/** Lines that are not JSON are the last output of a crash, and count as one. */
function parse(line: string): LogLine[] {
  if (line.trim() === '') return [];
  try {
    return [JSON.parse(line) as LogLine];
  } catch {
    return [{ level: 'fatal', service: 'unknown', message: line }];
  }
}
