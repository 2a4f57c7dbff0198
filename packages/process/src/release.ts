import ownPackage from '../package.json' with { type: 'json' };

/** Running release: the version in the root's package.json, which a test compares. */
export const release: string = ownPackage.version;
