// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// @title Names for the numbers that {IPrimeOrders} takes and returns.

/// @dev Contracts that every Prime network has from genesis on.
library PrimeAddresses {
    /// @dev The order book: see {IPrimeOrders}. The constant PRIME_ORDERS is the same address with its type.
    address internal constant ORDERS = 0x0000000000000000000000000000000000000100;
    /// @dev The precompile that answers the reads of ORDERS.
    address internal constant ORDER_READS = 0x0000000000000000000000000000000000000101;
    /// @dev Storage slot 0 holds the root of the staking state.
    address internal constant STAKING = 0x0000000000000000000000000000000000000200;
    /// @dev Hashes of the last 8191 blocks (EIP-2935).
    address internal constant BLOCK_HASHES = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// @dev Multicall3.
    address internal constant MULTICALL3 = 0xcA11bde05977b3631167028862bE2a173976CA11;
    /// @dev The deterministic deployment proxy.
    address internal constant CREATE2_DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
}

/// @dev Parameter `tif` of submitOrder: what becomes of what does not trade at once.
library TimeInForce {
    /// @dev Good till cancelled: rests in the book.
    uint8 internal constant GTC = 0;
    /// @dev Immediate or cancel: never rests.
    uint8 internal constant IOC = 1;
    /// @dev Fill or kill: all at once or nothing.
    uint8 internal constant FOK = 2;
}

/// @dev Parameter `flags` of submitOrder: add them up, at most one of the four self-trade modes.
library OrderFlags {
    uint8 internal constant NONE = 0;
    /// @dev Refused when it would trade at once.
    uint8 internal constant POST_ONLY = 1;
    /// @dev Only makes the position smaller.
    uint8 internal constant REDUCE_ONLY = 2;
    /// @dev When the order meets one of its owner's own, the resting one is cancelled. The default.
    uint8 internal constant CANCEL_MAKER = 0;
    /// @dev ... the new one stops.
    uint8 internal constant CANCEL_TAKER = 4;
    /// @dev ... both end.
    uint8 internal constant CANCEL_BOTH = 8;
    /// @dev ... both get smaller by the smaller size, without a trade.
    uint8 internal constant DECREMENT = 12;
}

/// @dev `status` of orderByClientId.
library OrderStatus {
    /// @dev There never was such an order, or it ended too long ago.
    uint8 internal constant UNKNOWN = 0;
    uint8 internal constant OPEN = 1;
    uint8 internal constant FILLED = 2;
    /// @dev `filled` tells how much traded before.
    uint8 internal constant CANCELLED = 3;
    uint8 internal constant REJECTED = 4;
}

/// @dev Parameter `permissions` of approveAgent: add them up.
library AgentPermissions {
    uint32 internal constant TRADE = 1;
    uint32 internal constant CANCEL = 2;
    uint32 internal constant LIQUIDATE = 4;
}

/// @dev `kind` of the event {IPrimeOrders-Action}: type numbers of native transactions.
library ActionKind {
    uint8 internal constant ORDER = 1;
    uint8 internal constant CANCEL = 2;
    uint8 internal constant CANCEL_BY_CLIENT_ID = 3;
    uint8 internal constant CANCEL_ALL = 4;
    uint8 internal constant DEPOSIT = 7;
    uint8 internal constant WITHDRAW = 8;
    uint8 internal constant LIQUIDATE = 10;
    uint8 internal constant APPROVE_AGENT = 13;
    uint8 internal constant REVOKE_AGENT = 14;
}

/// @dev When the order book carries out what a contract wrote in block N.
library PrimeTiming {
    /// @dev The write runs in block N + 1.
    uint256 internal constant RUNS_AFTER = 1;
    /// @dev Transactions of block N + 2 are the first that read what it did.
    uint256 internal constant VISIBLE_AFTER = 2;
}
