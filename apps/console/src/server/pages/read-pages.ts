import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Undefined where compression does not make it smaller. */
  readonly gzipped: Buffer | undefined;
  /** True if its name contains a fingerprint of its content. */
  readonly isImmutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const zip = promisify(gzip);

/** Reads all files of the built pages by their path, such as `/assets/main-1a2b.js`. They are few and small. */
export async function readPages(directory: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in types);
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const url = `/${relative(directory, path).split(sep).join('/')}`;
    return [url, await readPage(path, url)] as const;
  });
  return new Map(await Promise.all(read));
}

async function readPage(path: string, url: string): Promise<PageFile> {
  const bytes = await readFile(path);
  const extension = extname(path);
  const gzipped = extension === '.woff2' ? bytes : await zip(bytes, { level: 9 });
  return {
    type: types[extension] ?? 'application/octet-stream',
    bytes,
    gzipped: gzipped.length < bytes.length ? gzipped : undefined,
    isImmutable: url.startsWith('/assets/'),
  };
}
