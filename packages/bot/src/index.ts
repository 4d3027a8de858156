export { Bot } from './bot.ts';
