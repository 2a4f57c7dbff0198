import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildDocument } from '@rubrica/openapi/build-document';
import { createSite, type SiteFile } from './site.ts';

/** Origin in the built files. The gateway replaces it with its own origin, which is unknown at build time. */
const placeholderOrigin = 'https://gateway.invalid';

export interface BuildSiteOptions {
  /** Folder for the result: `production/` and `sandbox/`, each with a `site.json`. */
  readonly into: string;
  /** Release that the documentation describes. */
  readonly version: string;
}

/** Builds the documentation. A sandbox has more operations, and readers can try them. */
export async function buildSite({ into, version }: BuildSiteOptions): Promise<void> {
  for (const variant of ['production', 'sandbox']) {
    const isSandbox = variant === 'sandbox';
    const document = buildDocument({ baseUrl: placeholderOrigin, version, sandbox: isSandbox });
    await writeSite(join(into, variant), createSite({ document, baseUrl: placeholderOrigin, isSandbox }));
  }
}

/** Writes the files, and `site.json` with the location and the type of each address. */
async function writeSite(folder: string, site: readonly SiteFile[]): Promise<void> {
  const rows: Record<string, object> = {};
  for (const { address, text, ...facts } of site) {
    const file = toFileName(address);
    rows[address] = { file, ...facts };
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const manifest = { origin: placeholderOrigin, files: rows };
  await writeFile(join(folder, 'site.json'), JSON.stringify(manifest, null, 2));
}

/** Pages get an extension: `/docs/en` is also a folder. */
function toFileName(address: string): string {
  const path = address.slice(1).replace('?lang=', '.');
  return /\.(?!en$|es$)[a-z]+$/.test(path) ? path : `${path}.html`;
}
