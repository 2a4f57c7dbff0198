export { readAddress } from './read-address.ts';
export { s3EvidenceStore } from './s3-store.ts';
