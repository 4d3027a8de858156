/** What requests are counted by. Apart from the methods, so that a thread that counts something else does not load them. */
export { limitReasons, type LimitReason } from './limitReasons.ts';
export { methodClasses, type MethodClass } from './methodClass.ts';
