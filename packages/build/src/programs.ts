/**
 * What of each service runs as a process or a thread of its own: the file it becomes (`main.mjs`), and the source below
 * `src/` that it is made of.
 */
export const programs = {
  gateway: {
    main: 'main.ts',
    doctor: 'doctor.ts',
    'screening-thread': 'claim/screening/screening-thread.ts',
  },
  intake: {
    main: 'main.ts',
    doctor: 'doctor.ts',
    provision: 'provision.ts',
    'await-provisioned': 'await-provisioned.ts',
    'verify-audit': 'verify-audit.ts',
    'break-glass': 'break-glass.ts',
    evidence: 'evidence.ts',
    'file-checker': 'file-checker.ts',
    'checker-main': 'validation/file-checks/checker/checker-main.ts',
  },
  generation: {
    main: 'main.ts',
    doctor: 'doctor.ts',
    provision: 'provision.ts',
    'await-provisioned': 'await-provisioned.ts',
    'verify-audit': 'verify-audit.ts',
    'revoke-forgotten': 'revoke-forgotten.ts',
    ca: 'ca/main.ts',
    'background-thread': 'key-pool/background-thread.ts',
  },
  terms: {
    main: 'main.ts',
    doctor: 'doctor.ts',
    provision: 'provision.ts',
    'await-provisioned': 'await-provisioned.ts',
    'verify-audit': 'verify-audit.ts',
  },
  notifier: {
    main: 'main.ts',
    doctor: 'doctor.ts',
    provision: 'provision.ts',
    'await-provisioned': 'await-provisioned.ts',
    'verify-audit': 'verify-audit.ts',
  },
  console: {
    main: 'main.ts',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Service = keyof typeof programs;

/** Folders with the built files of each service. */
export type Built = Readonly<Record<Service, string>>;

/**
 * Stays a package, found by Node from where the built file lies: native code, and what is loaded by its name or not at
 * all (the last three are asked for and need not be there).
 */
export const packagesKept = ['sharp', 'koffi', 'pino-pretty', 'pg-native', 'mikro-orm', 'tinyglobby'];
