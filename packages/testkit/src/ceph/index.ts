export { type CephDaemon, type S3Credentials, type TestCeph, testCeph } from './test-ceph.ts';
