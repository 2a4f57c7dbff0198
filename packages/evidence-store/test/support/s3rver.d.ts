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
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
