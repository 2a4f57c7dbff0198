import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LogLine {
  readonly level: string;
  readonly service: string;
  readonly message: string;
}

/** What the services of a stack have logged as an error so far: in a test that breaks nothing, nothing. */
export async function errorsLogged(home: string): Promise<LogLine[]> {
  const folder = join(home, 'logs');
  const files = (await readdir(folder)).filter((file) =>
    /^(gateway|intake|generation|terms|notifier)/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => text.split('\n').flatMap(parse)).filter(isError);
}

const isError = ({ level }: LogLine) => level === 'error' || level === 'fatal';

/** Lines that are not JSON are a crash's last words, and count as one. */
function parse(line: string): LogLine[] {
  if (line.trim() === '') return [];
  try {
    return [JSON.parse(line) as LogLine];
  } catch {
    return [{ level: 'fatal', service: 'unknown', message: line }];
  }
}
