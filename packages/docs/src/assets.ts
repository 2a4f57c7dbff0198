import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

export interface Asset {
  /** Contains a hash of the content, so that a new page never meets an old asset. */
  readonly address: string;
  readonly text: string;
}

function readAsset(file: URL, name = basename(file.pathname)): Asset {
  const text = readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  const extension = extname(name);
  return { address: `/docs/assets/${basename(name, extension)}-${hash}${extension}`, text };
}

/** Files that pages load: nothing comes from elsewhere. */
export const assets = {
  style: readAsset(new URL('./assets/docs.css', import.meta.url)),
  script: readAsset(new URL('./assets/docs.js', import.meta.url)),
  /** Loaded when the reader begins to search. */
  search: readAsset(new URL(import.meta.resolve('minisearch')), 'minisearch.js'),
};
