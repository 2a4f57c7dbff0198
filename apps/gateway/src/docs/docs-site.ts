import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../context.ts';
import { type Published, publish } from '../http/published.ts';

/** Row of `site.json`, which `packages/docs` writes. */
interface FileRow {
  /** Path below the folder of the site. */
  readonly file: string;
  readonly type: 'html' | 'css' | 'js' | 'json' | 'text' | 'svg' | 'rss';
  readonly language?: Language;
  /** True for files that browsers save instead of displaying. */
  readonly isDownload?: boolean;
}

interface Manifest {
  /** Placeholder of the service's own origin in every file. */
  readonly origin: string;
  readonly files: Readonly<Record<string, FileRow>>;
}

export interface DocsFile extends FileRow {
  readonly published: Published;
  /** True where the path has a file in each language. */
  readonly varies: boolean;
}

export interface DocsSite {
  /** Returns whether the site is in its folder. A development stack builds it while the service runs. */
  isBuilt(): boolean;
  /**
   * Finds a file.
   * @param language selects the file where the path has one in each language
   */
  find(path: string, language: Language): DocsFile | undefined;
}

export interface DocsSiteOptions {
  readonly folder: string;
  readonly baseUrl: string;
  readonly isSandbox: boolean;
}

/** Opens the built documentation. Files are read at their first use and cached with their compressed forms. */
export function openDocsSite({ folder, baseUrl, isSandbox }: DocsSiteOptions): DocsSite {
  const root = join(folder, isSandbox ? 'sandbox' : 'production');
  const loaded = new Map<string, DocsFile>();
  let manifest: Manifest | undefined;

  function readManifest(): Manifest | undefined {
    try {
      manifest ??= JSON.parse(readFileSync(join(root, 'site.json'), 'utf8')) as Manifest;
    } catch {
      return undefined;
    }
    return manifest;
  }

  function load(address: string, varies: boolean): DocsFile | undefined {
    const site = readManifest();
    const row = site !== undefined && Object.hasOwn(site.files, address) ? site.files[address] : undefined;
    if (site === undefined || row === undefined) return undefined;
    const cached = loaded.get(address);
    if (cached !== undefined) return cached;
    const text = readFileSync(join(root, row.file), 'utf8').replaceAll(site.origin, baseUrl);
    const file = { ...row, varies, published: publish(text) };
    loaded.set(address, file);
    return file;
  }

  return {
    isBuilt: () => readManifest() !== undefined,
    find: (path, language) => load(path, false) ?? load(`${path}?lang=${language}`, true),
  };
}
