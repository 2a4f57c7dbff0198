import type { FileClass } from '@rubrica/contracts/shared/recognise-type';

/** Maximum decoded file size by class, in bytes. */
export type FileLimits = Readonly<Record<FileClass, number>>;
