import { keyset } from '@rubrica/database';

/** Rows by when they were made, newest first. */
export const { readCursor: decodeCursor, after, page: toPage } = keyset('createdAt');
