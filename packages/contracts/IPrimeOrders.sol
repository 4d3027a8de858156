// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// @title The order book of a Prime chain, for contracts.
/// @notice Deployed at 0x0000000000000000000000000000000000000100 from genesis on.
///
/// Reads show the order book as it was when the block began. They never show what the same block writes, not even the
/// caller's own writes: an order that a contract submits now is in no book before the next block.
///
/// Writes return a ticket and are carried out as the first actions of the NEXT block, for `msg.sender`. By then the
/// transaction is final, so that a write which the order book refuses does not revert anything: it becomes an
/// `action_rejected` event that names the ticket, and `orderByClientId` tells of an order that was refused.
/// A call that reverts, at any depth, takes its writes and its value back.
interface IPrimeOrders {
    /// @notice A price level: wei per base unit, and base units of all orders at it.
    struct Level {
        uint256 price;
        uint256 size;
    }

    /// @notice What the order book carries out in the next block.
    /// @param account who acts: the sender of the call
    /// @param kind    type number of the native transaction that does the same, see docs/protocol/predeploy.md
    /// @param ticket  unique, ascending, from 1
    /// @param data    ABI encoding of the arguments
    event Action(address indexed account, uint8 indexed kind, uint64 ticket, bytes data);

    /// @notice The code runs in the name of another address; only calls reach the order book.
    error DelegateCallNotAllowed();
    /// @notice The contracts of this block have made as many writes as a block may have; try again in the next one.
    error TooManyWrites(uint256 writesMax);
    /// @notice The order book has no such function.
    error UnknownFunction(bytes4 selector);
    /// @notice Zero, or not below 2^128.
    error InvalidPrice(uint256 price);
    /// @notice Zero, or not below 2^128.
    error InvalidSize(uint256 size);
    /// @notice Not 0 (gtc), 1 (ioc) or 2 (fok).
    error InvalidTimeInForce(uint8 tif);
    /// @notice Bits above the four that are known.
    error InvalidFlags(uint8 flags);
    /// @notice Markets are numbered from 1.
    error InvalidMarket(uint32 marketId);
    /// @notice Zero, or not below 2^53.
    error InvalidOrderId(uint64 orderId);
    /// @notice Zero stands for no client id.
    error InvalidClientId(uint128 clientId);
    /// @notice Zero.
    error InvalidAmount(uint256 amount);
    /// @notice The zero address or the order book itself.
    error InvalidAccount(address account);
    /// @notice Not below 2^53.
    error InvalidExpiry(uint64 expiry);

    // ---- Reads: state at the start of the block. An argument that names nothing reverts with Error(string). ----

    /// @notice Ids of all markets, ascending.
    function markets() external view returns (uint32[] memory ids);

    /// @notice Rules of a market. Prices are multiples of `tick`, sizes of `lot`; margins in basis points of notional.
    /// A whole unit of the base is 10^baseDecimals base units, of the quote 10^quoteDecimals wei: for people only.
    function market(uint32 marketId)
        external
        view
        returns (
            string memory symbol,
            uint256 tick,
            uint256 lot,
            uint32 imBps,
            uint32 mmBps,
            uint8 baseDecimals,
            uint8 quoteDecimals
        );

    /// @notice Best bid, best ask, price of the latest trade and mark price, wei per base unit; 0 where there is none.
    function bestPrices(uint32 marketId)
        external
        view
        returns (uint256 bid, uint256 ask, uint256 last, uint256 mark);

    /// @notice The best levels of both sides, best first.
    /// @param depth levels of each side, at most 100
    function book(uint32 marketId, uint16 depth) external view returns (Level[] memory bids, Level[] memory asks);

    /// @notice Signed base units, negative is short, and the notional at which the position was opened, wei.
    function position(address owner, uint32 marketId) external view returns (int256 size, uint256 entry);

    /// @notice Collateral, equity (collateral and unrealized profit), initial margin of positions and open orders,
    /// maintenance margin of positions, and what may be withdrawn; wei.
    function account(address owner)
        external
        view
        returns (int256 collateral, int256 equity, uint256 initial, uint256 maintenance, uint256 withdrawable);

    /// @notice Whether `liquidate` would find the account below its maintenance margin.
    function isLiquidatable(address owner) external view returns (bool);

    /// @notice An order that rests in a book; zeros for any other.
    function order(uint64 orderId)
        external
        view
        returns (address owner, uint32 marketId, bool isBuy, uint256 price, uint256 remaining);

    /// @notice The latest order with a client id of an owner: 0 unknown or forgotten, 1 open, 2 filled, 3 cancelled
    /// (`filled` tells of a part), 4 rejected (`id` is 0).
    function orderByClientId(address owner, uint128 clientId)
        external
        view
        returns (uint64 id, uint8 status, uint256 filled);

    /// @notice Wei of the insurance fund.
    function insuranceFund() external view returns (uint256);

    /// @notice Commitment to the whole order book; storage slot 0 of this account, so that eth_getProof shows it too.
    function clobRoot() external view returns (bytes32);

    // ---- Writes: carried out in the next block. Each costs 20 000 gas above what its code costs. ----

    /// @param price    wei per base unit, a multiple of the market's tick
    /// @param size     base units, a multiple of the market's lot
    /// @param tif      0 gtc, 1 ioc, 2 fok
    /// @param flags    bit 0 post-only, bit 1 reduce-only, bits 2-3 self-trade mode: 0 cancel maker, 1 cancel taker,
    ///                 2 cancel both, 3 decrement
    /// @param clientId own name of the order, unique among the owner's open ones; 0 is none
    function submitOrder(
        uint32 marketId,
        bool isBuy,
        uint256 price,
        uint256 size,
        uint8 tif,
        uint8 flags,
        uint128 clientId
    ) external returns (uint64 ticket);

    function cancelOrder(uint64 orderId) external returns (uint64 ticket);

    function cancelByClientId(uint128 clientId) external returns (uint64 ticket);

    /// @param marketId 0 is all markets
    function cancelAll(uint32 marketId) external returns (uint64 ticket);

    /// @notice Makes the value collateral of the sender.
    function deposit() external payable returns (uint64 ticket);

    /// @notice Makes the value collateral of somebody else.
    function depositFor(address owner) external payable returns (uint64 ticket);

    /// @notice Takes collateral out, to an EVM account, through the queue of the bridge.
    function withdraw(uint256 amount, address to) external returns (uint64 ticket);

    /// @notice Liquidates an account that is below its maintenance margin. Anybody may.
    function liquidate(address owner) external returns (uint64 ticket);

    /// @notice Lets a key sign native transactions for the sender.
    /// @param expiry      block time in milliseconds after which it may not any more; 0 is never
    /// @param permissions sum of 1 trade, 2 cancel, 4 liquidate
    function approveAgent(address agent, uint64 expiry, uint32 permissions) external returns (uint64 ticket);

    /// @notice Takes that back for ever: a revoked agent can not be approved again.
    function revokeAgent(address agent) external returns (uint64 ticket);

    /// @notice The same as {deposit}. Needs more gas than `transfer` and `send` give: use `call`.
    receive() external payable;
}

/// @dev The order book at its address.
IPrimeOrders constant PRIME_ORDERS = IPrimeOrders(payable(0x0000000000000000000000000000000000000100));
