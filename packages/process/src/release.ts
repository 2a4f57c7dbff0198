import ownPackage from '../package.json' with { type: 'json' };

/** The release that runs: the version of the root's package.json, which a test compares. */
export const release: string = ownPackage.version;
