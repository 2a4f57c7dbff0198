import { integer, serviceSettings, setting } from '@rubrica/process/config';
import { z } from 'zod';
import { parseCheckerAddress } from './remote/checker-address.ts';

const checkerProcessSettings = {
  checkers: setting(integer({ min: 1, max: 16 }).default(2), {
    env: 'FILE_CHECKERS',
    about:
      'processes of this copy that check files; each is started when it is first needed. With FILE_CHECKER_ADDRESS: files of this copy that are with the checker at once',
  }),
  timeoutSeconds: setting(integer({ min: 1, max: 60 }).default(10), {
    env: 'FILE_CHECK_TIMEOUT_SECONDS',
    about: 'time for the check of one file; then its process is killed',
  }),
  memoryMebibytes: setting(integer({ min: 256, max: 8_192 }).default(768), {
    env: 'FILE_CHECK_MEMORY_MB',
    about: 'MiB that one such process may hold; above it is killed',
  }),
};

const checkerAddress = z
  .string()
  .refine((text) => parseCheckerAddress(text) !== undefined, 'must be an absolute path, or host:port');
const checkerTlsFacts = {
  env: 'FILE_CHECKER_TLS_DIRECTORY',
  about:
    'folder with `file-checker-ca.pem`, `file-checker.pem` and `file-checker.key`; needed where FILE_CHECKER_ADDRESS is `host:port`',
} as const;
export const checkerTlsFault = 'FILE_CHECKER_TLS_DIRECTORY is needed where FILE_CHECKER_ADDRESS is host:port';

/** Settings of the file checker if it runs as a separate service. */
export const fileCheckerSettings = serviceSettings
  .extend({
    files: z.object({
      ...checkerProcessSettings,
      checkerAddress: setting(checkerAddress, {
        env: 'FILE_CHECKER_ADDRESS',
        about: 'where it listens: path of its socket, or `host:port`, which takes TLS',
      }),
      checkerTlsDirectory: setting(z.string().optional(), checkerTlsFacts),
    }),
  })
  .refine(({ files }) => hasCheckerTls(files), checkerTlsFault);

/** Returns false if files would cross a network in the clear. */
export function hasCheckerTls(files: {
  checkerAddress?: string | undefined;
  checkerTlsDirectory?: string | undefined;
}): boolean {
  const address = parseCheckerAddress(files.checkerAddress ?? '');
  return address?.kind !== 'port' || files.checkerTlsDirectory !== undefined;
}
export type FileCheckerConfig = z.output<typeof fileCheckerSettings>;

export const fileSettings = z.object({
  maxMegapixels: setting(integer({ min: 1, max: 200 }).default(50), {
    env: 'IMAGE_MAX_MEGAPIXELS',
    about: 'megapixels a picture may have; more need more memory to check',
  }),
  maxSidePixels: setting(integer({ min: 100, max: 65_535 }).default(12_000), {
    env: 'IMAGE_MAX_SIDE_PIXELS',
    about: 'pixels each side of a picture may have',
  }),
  maxRequestMegapixels: setting(integer({ min: 1, max: 10_000 }).default(250), {
    env: 'REQUEST_MAX_MEGAPIXELS',
    about:
      'megapixels that the pictures of one request may have in all; what exceeds them is refused. The default is twenty photographs of 12',
  }),
  maxPages: setting(integer({ min: 1, max: 10_000 }).default(100), {
    env: 'PDF_MAX_PAGES',
    about: 'pages a PDF may have',
  }),
  ...checkerProcessSettings,
  checkerAddress: setting(checkerAddress.optional(), {
    env: 'FILE_CHECKER_ADDRESS',
    about:
      'where the file checker listens: path of its socket, or `host:port`, which takes TLS; without it intake starts processes for it itself',
  }),
  checkerTlsDirectory: setting(z.string().optional(), checkerTlsFacts),
});
export type FileSettings = z.output<typeof fileSettings>;
