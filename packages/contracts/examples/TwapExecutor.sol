// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {PRIME_ORDERS} from "../IPrimeOrders.sol";

/// @title Buys or sells a large size in slices, one every so many blocks.
/// @notice Its owner pays the collateral in; anybody may have the next slice sent when it is due. Each slice is an immediate-or-cancel
/// order with a name of its own, and what it filled is looked up before the next one, so that the whole is never exceeded.
contract TwapExecutor {
    address public immutable owner;
    uint32 public immutable marketId;
    bool public immutable isBuy;
    uint256 public immutable sliceSize;
    /// @notice Worst price of each slice, wei per base unit.
    uint256 public immutable limit;
    /// @notice Blocks between two slices.
    uint256 public immutable interval;

    /// @notice Base units that are still to be traded, the slice on its way not counted off.
    uint256 public remaining;
    uint256 public nextBlock;
    /// @notice Name of the latest slice; 0 before the first.
    uint128 public slice;
    bool public isSettled = true;

    uint8 private constant IOC = 1;
    /// @dev A write runs in the next block, and reads show that one block later.
    uint256 private constant VISIBLE_AFTER = 2;
    uint8 private constant UNKNOWN = 0;

    event Slice(uint128 indexed slice, uint256 size, uint64 ticket);
    event Filled(uint128 indexed slice, uint8 status, uint256 filled, uint256 remaining);

    error NotOwner();
    error TooEarly(uint256 nextBlock);
    error Finished();
    error PaymentFailed();

    constructor(uint32 marketId_, bool isBuy_, uint256 size, uint256 sliceSize_, uint256 limit_, uint256 interval_) payable {
        owner = msg.sender;
        marketId = marketId_;
        isBuy = isBuy_;
        remaining = size;
        sliceSize = sliceSize_;
        limit = limit_;
        interval = interval_ < VISIBLE_AFTER ? VISIBLE_AFTER : interval_;
        if (msg.value > 0) PRIME_ORDERS.deposit{value: msg.value}();
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    /// @dev Withdrawn wei come as a balance, without a call; this is for those who send some by hand.
    receive() external payable {}

    function fund() external payable {
        PRIME_ORDERS.deposit{value: msg.value}();
    }

    /// @notice Counts what the last slice filled and sends the next one.
    function execute() external {
        if (block.number < nextBlock) revert TooEarly(nextBlock);
        _settle();
        if (remaining == 0) revert Finished();
        uint256 size = remaining < sliceSize ? remaining : sliceSize;
        nextBlock = block.number + interval;
        isSettled = false;
        uint64 ticket = PRIME_ORDERS.submitOrder(marketId, isBuy, limit, size, IOC, 0, ++slice);
        emit Slice(slice, size, ticket);
    }

    /// @notice Counts what the last slice filled.
    function settle() external {
        if (block.number < nextBlock) revert TooEarly(nextBlock);
        _settle();
    }

    /// @notice Ends the program. A slice on its way still runs.
    function stop() external onlyOwner {
        remaining = 0;
    }

    /// @notice Takes collateral back, to the owner.
    function withdraw(uint256 amount) external onlyOwner {
        PRIME_ORDERS.withdraw(amount, owner);
    }

    function sweep() external onlyOwner {
        (bool ok, ) = owner.call{value: address(this).balance}("");
        if (!ok) revert PaymentFailed();
    }

    function _settle() private {
        if (isSettled) return;
        isSettled = true;
        // A slice that is asked for too late may be forgotten: whoever runs this has to come within the memory of orders.
        (, uint8 status, uint256 filled) = PRIME_ORDERS.orderByClientId(address(this), slice);
        if (status == UNKNOWN) remaining = 0;
        else remaining = remaining > filled ? remaining - filled : 0;
        emit Filled(slice, status, filled, remaining);
    }
}
