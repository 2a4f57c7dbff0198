export {
  boundedScan,
  namedSql,
  type ScanCursor,
  type ScanResult,
  type ScanRow,
  scanCursorSql,
  type TermSize,
  termSizeSql,
  toScanResult,
  type WordTable,
  wholeScan,
  withScanCursor,
} from './bounded-scan.ts';
export {
  namePatterns,
  rowWordCondition,
  searchableName,
  type TermRange,
  type Terms,
  termsWithPrefix,
  toSearchTerms,
  toTerms,
} from './search-words.ts';
