/** Points at which a test may kill this process while it sends a notice, with the required outcome. */
export const crashPoints = {
  /** The notice is about to be sent. It is leased again when the lease ends. */
  noticeBeforeSend: 'notice-before-send',
  /**
   * The mail server has accepted the notice, nothing is recorded. It may be sent once more with the same Message-ID.
   */
  noticeAfterSend: 'notice-after-send',
} as const;
