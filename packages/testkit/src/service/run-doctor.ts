import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Diagnosis {
  readonly code: number;
  /** `<verdict> <check>` of each line, in order. */
  readonly verdicts: readonly string[];
  readonly text: string;
}

/** Runs the command `doctor` of a service's `src/main.ts` with only these settings. */
export async function runDoctor(main: URL, env: Readonly<Record<string, string>>): Promise<Diagnosis> {
  const ended = await run(process.execPath, [fileURLToPath(main), 'doctor'], { env }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const text = `${ended.stdout}${ended.stderr}`;
  const verdicts = text
    .trim()
    .split('\n')
    .map((line) => line.split(/\s{2,}/, 2).join(' '));
  return { code: 'code' in ended ? ended.code : 0, verdicts, text };
}
