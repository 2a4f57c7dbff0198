import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Outcome of a foreign program: exit status and everything it said. */
export type ProgramResult = { status: number | null; stdout: string; output: string };

export function runProgram(program: string, args: string[], input?: string): ProgramResult {
  const done = spawnSync(program, args, {
    encoding: 'utf8',
    input,
    timeout: 240_000,
    env: { ...process.env, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' },
  });
  return {
    status: done.status,
    stdout: done.stdout ?? '',
    output: `${done.stdout ?? ''}${done.stderr ?? ''}`,
  };
}

/** Why tests with a program must be skipped, in plain words; undefined when it is there. */
export function missingProgram(program: string, debianPackage: string): string | undefined {
  const found = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  return found ? undefined : `${program} is not installed (Debian package ${debianPackage})`;
}

/** A folder that goes away at the end of the scope. */
export function makeFolder(): {
  path: string;
  file(name: string, content: Uint8Array | string): string;
} & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'rubrica-pki-'));
  return {
    path,
    file(name, content) {
      const at = join(path, name);
      writeFileSync(at, content);
      return at;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const toPem = (der: Uint8Array, label = 'CERTIFICATE'): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}/g, '$&\n')
    .trimEnd()}\n-----END ${label}-----\n`;
