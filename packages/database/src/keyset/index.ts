export { createKeyset, type Keyset, type KeysetPosition } from './keyset.ts';
export { readPage } from './read-page.ts';
