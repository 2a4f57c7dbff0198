import type { FileClass } from '@rubrica/contracts/shared/recognise-type';

/** Largest file of each class, decoded, bytes. */
export type FileLimits = Readonly<Record<FileClass, number>>;
