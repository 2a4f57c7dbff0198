import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';

export interface OpenSsl extends AsyncDisposable {
  /** Writes a file and gives its path. */
  put(name: string, content: string | Uint8Array): Promise<string>;
  /** Where the program may write a file. */
  path(name: string): string;
  /** Runs the real program in its folder; text of both outputs, whatever the exit code. */
  run(...args: string[]): Promise<{ code: number; text: string }>;
}

/** The real OpenSSL with a folder for its files. */
export async function openSsl(): Promise<OpenSsl> {
  const scratch = await scratchDirectory('openssl');
  const folder = join(scratch.path, 'files');
  await mkdir(folder);
  const path = (name: string) => join(folder, name);
  return {
    path,
    async put(name, content) {
      await writeFile(path(name), content);
      return path(name);
    },
    run: (...args) =>
      new Promise((resolve) => {
        execFile('openssl', args, { cwd: folder }, (error, stdout, stderr) => {
          resolve({
            code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
            text: stdout + stderr,
          });
        });
      }),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}
