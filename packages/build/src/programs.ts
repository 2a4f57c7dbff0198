/**
 * Entry points of each service: the name of the built file (`main.mjs`) and its source under `src/`. `main` accepts
 * commands; the others are threads, and processes that a service starts itself.
 */
export const programs = {
  gateway: {
    main: 'main.ts',
    'screening-thread': '../../../packages/password-screen/src/screening-thread.ts',
  },
  intake: {
    main: 'main.ts',
    'checker-main': 'requests/file-checks/checker/checker-main.ts',
  },
  generation: {
    main: 'main.ts',
    'background-thread': 'key-pool/background-thread.ts',
  },
  terms: {
    main: 'main.ts',
  },
  notifier: {
    main: 'main.ts',
  },
  console: {
    main: 'main.ts',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Service = keyof typeof programs;

/** Folders with the built files of each service. */
export type Built = Readonly<Record<Service, string>>;

/**
 * Packages that stay packages, which Node finds from the path of the built file: native code, and packages that are
 * loaded by name or never (the last three are optional).
 */
export const packagesInImage = ['sharp', 'koffi', 'pino-pretty', 'pg-native', 'mikro-orm', 'tinyglobby'];
