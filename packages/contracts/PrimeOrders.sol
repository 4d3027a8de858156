// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IPrimeOrders} from "./IPrimeOrders.sol";

/// @title Code of 0x0000000000000000000000000000000000000100, put there by genesis.
/// @dev It holds no order book and decides nothing about it. Reads are handed to the chain's own precompile at
/// 0x…0101 as they come; writes become logs, which the node collects after the transactions of the block. All that can
/// be refused without knowing the order book is refused here, because here it can still revert.
contract PrimeOrders is IPrimeOrders {
    address private constant SELF = address(0x100);
    /// @dev A number, because assembly takes no other constant.
    uint256 private constant READS = 0x101;

    /// @dev Work of the order book, which no opcode pays for.
    uint256 private constant WRITE_GAS = 20_000;

    // Type numbers of native transactions.
    uint8 private constant ORDER = 1;
    uint8 private constant CANCEL = 2;
    uint8 private constant CANCEL_BY_CLIENT_ID = 3;
    uint8 private constant CANCEL_ALL = 4;
    uint8 private constant DEPOSIT = 7;
    uint8 private constant WITHDRAW = 8;
    uint8 private constant LIQUIDATE = 10;
    uint8 private constant APPROVE_AGENT = 13;
    uint8 private constant REVOKE_AGENT = 14;

    /// @dev Numbers beyond this one are not exact in every client.
    uint64 private constant SAFE_INTEGER_MAX = 2 ** 53 - 1;
    uint32 private constant FLAGS_MAX = 15;
    uint8 private constant TIF_MAX = 2;

    /// @dev Writes of the contracts of one block.
    struct Quota {
        uint64 blockNumber;
        uint64 writes;
        /// Set by genesis.
        uint64 writesMax;
    }

    /// @dev Slot 0. The node writes it at the end of each block.
    bytes32 private _clobRoot;
    /// @dev Slot 1. The latest ticket.
    uint256 private _ticket;
    /// @dev Slot 2.
    Quota private _quota;
    // Slot 3 is the node's too: the hash of the writes that the next block has to carry out.

    // ---- Reads ----

    function markets() external view returns (uint32[] memory) {
        _read();
    }

    function market(uint32)
        external
        view
        returns (string memory, uint256, uint256, uint32, uint32, uint8, uint8)
    {
        _read();
    }

    function bestPrices(uint32) external view returns (uint256, uint256, uint256, uint256) {
        _read();
    }

    function book(uint32, uint16) external view returns (Level[] memory, Level[] memory) {
        _read();
    }

    function position(address, uint32) external view returns (int256, uint256) {
        _read();
    }

    function account(address) external view returns (int256, int256, uint256, uint256, uint256) {
        _read();
    }

    function isLiquidatable(address) external view returns (bool) {
        _read();
    }

    function order(uint64) external view returns (address, uint32, bool, uint256, uint256) {
        _read();
    }

    function orderByClientId(address, uint128) external view returns (uint64, uint8, uint256) {
        _read();
    }

    function insuranceFund() external view returns (uint256) {
        _read();
    }

    function clobRoot() external view returns (bytes32) {
        if (address(this) != SELF) revert DelegateCallNotAllowed();
        return _clobRoot;
    }

    // ---- Writes ----

    function submitOrder(
        uint32 marketId,
        bool isBuy,
        uint256 price,
        uint256 size,
        uint8 tif,
        uint8 flags,
        uint128 clientId
    ) external returns (uint64) {
        if (marketId == 0) revert InvalidMarket(marketId);
        if (price == 0 || price > type(uint128).max) revert InvalidPrice(price);
        if (size == 0 || size > type(uint128).max) revert InvalidSize(size);
        if (tif > TIF_MAX) revert InvalidTimeInForce(tif);
        if (flags > FLAGS_MAX) revert InvalidFlags(flags);
        return _write(ORDER, abi.encode(marketId, isBuy, price, size, tif, flags, clientId));
    }

    function cancelOrder(uint64 orderId) external returns (uint64) {
        if (orderId == 0 || orderId > SAFE_INTEGER_MAX) revert InvalidOrderId(orderId);
        return _write(CANCEL, abi.encode(orderId));
    }

    function cancelByClientId(uint128 clientId) external returns (uint64) {
        if (clientId == 0) revert InvalidClientId(clientId);
        return _write(CANCEL_BY_CLIENT_ID, abi.encode(clientId));
    }

    function cancelAll(uint32 marketId) external returns (uint64) {
        return _write(CANCEL_ALL, abi.encode(marketId));
    }

    function deposit() external payable returns (uint64) {
        return _deposit(msg.sender);
    }

    function depositFor(address owner) external payable returns (uint64) {
        if (owner == address(0) || owner == SELF) revert InvalidAccount(owner);
        return _deposit(owner);
    }

    receive() external payable {
        _deposit(msg.sender);
    }

    function withdraw(uint256 amount, address to) external returns (uint64) {
        if (amount == 0) revert InvalidAmount(amount);
        if (to == address(0) || to == SELF) revert InvalidAccount(to);
        return _write(WITHDRAW, abi.encode(amount, to));
    }

    function liquidate(address owner) external returns (uint64) {
        return _write(LIQUIDATE, abi.encode(owner));
    }

    function approveAgent(address agent, uint64 expiry, uint32 permissions) external returns (uint64) {
        if (agent == address(0)) revert InvalidAccount(agent);
        if (expiry > SAFE_INTEGER_MAX) revert InvalidExpiry(expiry);
        return _write(APPROVE_AGENT, abi.encode(agent, expiry, permissions));
    }

    function revokeAgent(address agent) external returns (uint64) {
        return _write(REVOKE_AGENT, abi.encode(agent));
    }

    fallback() external payable {
        revert UnknownFunction(msg.sig);
    }

    function _deposit(address owner) private returns (uint64) {
        if (msg.value == 0) revert InvalidAmount(msg.value);
        return _write(DEPOSIT, abi.encode(owner, msg.value));
    }

    /// @dev A log is the whole write: what reverts takes it back, and in a static call there can be none.
    function _write(uint8 kind, bytes memory data) private returns (uint64 ticket) {
        if (address(this) != SELF) revert DelegateCallNotAllowed();
        uint256 stopAt = gasleft() - WRITE_GAS;
        while (gasleft() > stopAt) {}
        Quota memory quota = _quota;
        if (quota.blockNumber != block.number) {
            quota.blockNumber = uint64(block.number);
            quota.writes = 0;
        }
        if (quota.writes >= quota.writesMax) revert TooManyWrites(quota.writesMax);
        quota.writes++;
        _quota = quota;
        ticket = uint64(++_ticket);
        emit Action(msg.sender, kind, ticket, data);
    }

    /// @dev Ends the call with the precompile's answer to the same calldata, or with its reason.
    function _read() private view {
        assembly ("memory-safe") {
            let input := mload(0x40)
            calldatacopy(input, 0, calldatasize())
            let ok := staticcall(gas(), READS, input, calldatasize(), 0, 0)
            returndatacopy(input, 0, returndatasize())
            if iszero(ok) {
                revert(input, returndatasize())
            }
            return(input, returndatasize())
        }
    }
}
