/** The package brings no types. */
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
      key?: string;
      cert?: string;
      allowMismatchedSignatures?: boolean;
    });
    /** Of Koa, outermost first. */
    readonly middleware: ((
      context: { method: string; status: number },
      next: () => Promise<void>,
    ) => unknown)[];
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
