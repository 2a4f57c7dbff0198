/** Where a test may kill this process, and what must hold afterwards. */
export const crashPoints = {
  /** The job is taken, nothing is stored: the job comes again. */
  deliveryBeforeStore: 'delivery-before-store',
  /** The delivery is being stored as leased, nothing is sent: it is leased again when the lease ends, or its job comes again. */
  deliveryBeforeSend: 'delivery-before-send',
  /** The partner has answered, nothing is recorded: the same id and bytes are sent once more. */
  deliveryAfterSend: 'delivery-after-send',
  /** The mail is to be sent, nothing is sent: it is leased again when the lease ends. */
  mailBeforeSend: 'mail-before-send',
  /** The mail server has taken the mail, nothing is recorded: it may be sent once more with the same Message-ID. */
  mailAfterSend: 'mail-after-send',
  /** The SMS is to be sent, nothing is sent: it is leased again when the lease ends. */
  smsBeforeSend: 'sms-before-send',
  /** The provider has taken the SMS, nothing is recorded: it is sent once more under the same idempotency key. */
  smsAfterSend: 'sms-after-send',
  /** The notice is to be sent, nothing is sent: it is leased again when the lease ends. */
  noticeBeforeSend: 'notice-before-send',
  /** The mail server has taken the notice, nothing is recorded: it may be sent once more with the same Message-ID. */
  noticeAfterSend: 'notice-after-send',
} as const;
